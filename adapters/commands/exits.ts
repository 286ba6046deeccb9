/** Exit codes, numbered as in `sysexits.h`; where they are explained is `docs/operating.md`. */
export const exits = {
  done: 0,
  failed: 1,
  usage: 64,
  refused: 65,
  unavailable: 69,
  configuration: 78,
} as const

export type Exit = (typeof exits)[keyof typeof exits]
