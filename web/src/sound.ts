// A few quiet tones of our own, synthesized on demand.

import { settings } from "./settings.svelte";

type Note = [frequency: number, at: number, duration: number, volume: number]; // hertz, seconds, seconds, 0 to 1

const TUNES = {
  turn: [[523.25, 0, 0.5, 0.5], [783.99, 0.14, 0.7, 0.5]],
  placed: [[196, 0, 0.12, 0.5], [392, 0, 0.06, 0.15]],
  points: [[1046.5, 0, 0.25, 0.22], [1318.5, 0.07, 0.35, 0.2]],
  over: [[392, 0, 0.6, 0.4], [523.25, 0.18, 0.6, 0.4], [659.25, 0.36, 0.6, 0.4], [783.99, 0.54, 1.1, 0.45]],
} satisfies Record<string, Note[]>;

const MAX_GAIN = 0.16;
let context: AudioContext | null = null;

export function play(name: keyof typeof TUNES): void {
  if (!settings.sound) return;
  context ??= new AudioContext();
  void context.resume();
  for (const note of TUNES[name] as Note[]) strike(context, note);
}

/** A struck glass: a sine that dies away, with a little of its octave. */
function strike(on: AudioContext, [frequency, at, duration, volume]: Note): void {
  const start = on.currentTime + at;
  for (const [overtone, share] of [[1, 1], [2.01, 0.25]] as const) {
    const tone = on.createOscillator();
    const gain = on.createGain();
    tone.frequency.value = frequency * overtone;
    gain.gain.setValueAtTime(0, start);
    gain.gain.linearRampToValueAtTime(volume * share * MAX_GAIN, start + 0.008);
    gain.gain.exponentialRampToValueAtTime(0.0001, start + duration);
    tone.connect(gain).connect(on.destination);
    tone.start(start);
    tone.stop(start + duration);
  }
}
