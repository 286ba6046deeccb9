import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const preload = fileURLToPath(new URL('preload.ts', import.meta.url))

/** The wall clock of servers, which goes ahead of the real one, or behind it, by as much as it is told. */
export class MovedClock {
  readonly #file: string
  #by = 0

  /** @param folder for the file by which servers are told */
  constructor(folder: string) {
    this.#file = join(folder, 'moved-clock')
    this.moveTo(0)
  }

  /** The settings of a server that has this clock. */
  get env(): { MOVED_CLOCK: string; NODE_OPTIONS: string } {
    return { MOVED_CLOCK: this.#file, NODE_OPTIONS: `--import ${preload}` }
  }

  /** The time by this clock, in milliseconds. */
  now(): number {
    return Date.now() + this.#by
  }

  /** @param by how far it is ahead in all, in milliseconds */
  moveTo(by: number): void {
    this.#by = by
    writeFileSync(this.#file, String(by))
  }

  /** Moves it on, or back, from where it is. */
  move(milliseconds: number): void {
    this.moveTo(this.#by + milliseconds)
  }
}
