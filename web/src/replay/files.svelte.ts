// The game file that was dropped on the page or chosen last; it stays in this browser and is only lent to the server.

import { Problem } from "../problem";
import { go } from "../route.svelte";

const MAX_BYTES = 1_000_000; // as the server has it

class Files {
  text: string | null = $state.raw(null);
  problem: Problem | null = $state.raw(null);

  /** Read this file and go to its replay. */
  async open(file: File): Promise<void> {
    this.problem = file.size > MAX_BYTES ? new Problem({ key: "too-large", sentence: "The file is too large.", clause: null, arguments: {} }) : null;
    this.text = this.problem ? null : await file.text();
    go("/replay");
  }
}

export const files = new Files();
