// A tile that is taken rises and fades out, and uncovers what was below it.

import { cubicOut } from "svelte/easing";
import type { TransitionConfig } from "svelte/transition";
import { motion } from "../../settings.svelte";

export function taken(_node: Element): TransitionConfig {
  return {
    duration: 380 * motion.beat,
    easing: cubicOut,
    css: (there, gone) => `transform: translateY(${-70 * gone}px); opacity: ${there}`,
  };
}
