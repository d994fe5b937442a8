// SHA-256 and HMAC-SHA-256 as docs/fair.md uses them. Browsers have them only over https and on this computer.

const encoder = new TextEncoder();

/** Can this browser compute hashes here? */
export const canHash = (): boolean => globalThis.crypto?.subtle !== undefined;

export const toHex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

export const fromHex = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array((text.match(/../g) ?? []).map((pair) => parseInt(pair, 16)));

/** 32 bytes that nobody can foresee. */
export const randomShare = (): string => toHex(crypto.getRandomValues(new Uint8Array(32)));

export async function sha256(...parts: (string | Uint8Array)[]): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", joined(parts.map(asBytes)))));
}

/** What is published of a share before it is opened. */
export const sealOf = (share: string): Promise<string> => sha256("laguna share", fromHex(share));

/** Hashes with a secret as the key. */
export class Keyed {
  #key: CryptoKey;

  private constructor(key: CryptoKey) {
    this.#key = key;
  }

  static async with(secret: string): Promise<Keyed> {
    return new Keyed(await crypto.subtle.importKey("raw", fromHex(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]));
  }

  /** Of the parts, each preceded by its length. */
  hash(...parts: (string | Uint8Array)[]): Promise<string> {
    const framed = parts.map(asBytes).flatMap((part) => [encoder.encode(`${part.length}:`), part]);
    return this.#sign(joined(framed));
  }

  /** The head of the chain of actions after one more of them. */
  nextHead(head: string, action: string): Promise<string> {
    return this.#sign(joined([encoder.encode("laguna action"), fromHex(head), encoder.encode(action)]));
  }

  async #sign(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
    return toHex(new Uint8Array(await crypto.subtle.sign("HMAC", this.#key, bytes)));
  }
}

const asBytes = (part: string | Uint8Array): Uint8Array => (typeof part === "string" ? encoder.encode(part) : part);

function joined(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
