// The game file that was dropped on the page or chosen last; it stays in this browser and is only lent to the server.

import { textOf } from "../parts/files";
import { asProblem, type Problem } from "../problem";
import { go } from "../route.svelte";

class Files {
  text: string | null = $state.raw(null);
  problem: Problem | null = $state.raw(null);

  /** Read this file and go to its replay. */
  open = async (file: File): Promise<void> => {
    [this.text, this.problem] = await textOf(file).then(
      (text) => [text, null],
      (failed) => [null, asProblem(failed)],
    );
    go("/replay");
  };
}

export const files = new Files();
