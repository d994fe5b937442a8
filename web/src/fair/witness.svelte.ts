// Watches a table for its player: adds a share to the deal, notes what the server publishes, and checks it at the end.

import type { TableFrame } from "../connection.svelte";
import { server } from "../server";
import type { OneTable } from "../table/table.svelte";
import type { TableView } from "../wire";
import { check, type Finding } from "./checking";
import { canHash, sealOf } from "./hashes";
import { keep, newNotes, notesOf, type Notes } from "./notes";
import { dueShare, note } from "./noting";

export class Witness {
  /** What was found at the end; null before, and if nothing was noted during the game. */
  finding: Finding | null = $state.raw(null);
  #table: OneTable;
  #seal: string | null = null;
  #asking = false;
  #checked = false;
  #view: TableView | null = null; // the latest

  constructor(table: OneTable) {
    this.#table = table;
  }

  hear(frame: TableFrame): void {
    if (frame.is === "here") return;
    const { view, lines } = frame;
    this.#view = view;
    const known = notesOf(view.table);
    if (view.status === "over" && !known) return;
    const notes = known ?? newNotes();
    note(notes, view, lines);
    keep(view.table, notes);
    if (view.status === "over") void this.#check(notes, view);
    else if (view.status === "open") void this.#takePart();
  }

  /** The seal of this browser's share, for taking a seat; null where nothing can be sealed. */
  async seal(): Promise<string | null> {
    if (!canHash()) return null;
    const notes = notesOf(this.#table.id) ?? newNotes();
    keep(this.#table.id, notes);
    return (this.#seal ??= await sealOf(notes.share));
  }

  /** Seal the share for seats that have none, and open it when all else is fixed. */
  async #takePart(): Promise<void> {
    if (this.#asking || !canHash()) return;
    this.#asking = true;
    try {
      await this.#sealSeats();
      await this.#openShare();
    } catch {
      // the connection was lost, or somebody was quicker: the next view shows what is left to do
    } finally {
      this.#asking = false;
    }
  }

  async #sealSeats(): Promise<void> {
    const { id: table, link } = this.#table;
    const seal = await this.seal();
    const fair = this.#view?.fair;
    const unsealed = this.#view?.mine.some((seat) => fair?.seals[seat] === null);
    if (fair && fair.terms === null && unsealed && seal && !notesOf(table)?.broken) await link.ask({ do: "seal", table, seal });
  }

  async #openShare(): Promise<void> {
    const { id: table, link } = this.#table;
    const notes = notesOf(table);
    const share = notes && this.#view && this.#seal ? dueShare(notes, this.#view, this.#seal) : null;
    if (!notes || !share) return;
    keep(table, notes);
    await link.ask({ do: "share", table, share });
    notes.accepted = true;
    keep(table, notes);
  }

  async #check(notes: Notes, view: TableView): Promise<void> {
    if (this.#checked) return;
    this.#checked = true;
    if (!canHash()) this.finding = { is: "here" };
    else this.finding = await server.gameFile(view.table).then((file) => check(file, notes, view), () => ({ is: "unreached" }));
  }
}
