// The rules texts, asked for once.

import { server } from "../server";
import type { RulesText } from "../wire";

const known = new Map<string, Promise<RulesText>>();

export function rulesOf(game: string, language: string): Promise<RulesText> {
  const key = `${game} ${language}`;
  const asked = known.get(key) ?? server.rules(game, language);
  known.set(key, asked);
  asked.catch(() => known.delete(key));
  return asked;
}
