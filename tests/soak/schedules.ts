import type { Run } from '#src/runs/run.ts'
import { pages } from '#tests/faults/writers.ts'
import { call } from '#tests/support/rest/call.ts'

const minuteMs = 60_000
/** A fire that was due so recently may still be under way. */
const lateMs = 15_000

/** Agents whose schedules fire one after the other, at each minute that comes. */
export class Schedules {
  readonly #url: string
  readonly #key: string
  readonly #due: number[] = []

  constructor(url: string, key: string) {
    this.#url = url
    this.#key = key
  }

  /** @param count for so many minutes from the one after next on; at most 50 */
  async begin(count: number): Promise<void> {
    const next = Math.ceil(Date.now() / minuteMs) * minuteMs + minuteMs
    for (let i = 0; i < Math.min(count, 50); i += 1) {
      const at = next + i * minuteMs
      const cron = `${new Date(at).getUTCMinutes()} * * * *`
      const triggers = [{ type: 'cron', enabled: true, config: { cron } }]
      const task = { task_id: 't', name: 'T', runtime: 'template', prompt: 'x', triggers }
      const agent = { id: `at-${i}`, name: 'At', heart: { tasks: [task] } }
      await call(this.#url, 'POST', '/api/characters/', this.#key, agent)
      this.#due.push(at)
    }
  }

  /** How many were due until now, and how many of these came once, and how many more than once. */
  async fires(): Promise<{ due: number; once: number; doubled: number }> {
    const due = this.#due.filter((at) => at < Date.now() - lateMs)
    let once = 0
    let doubled = 0
    for (const [i, at] of due.entries()) {
      const path = `/api/characters/at-${i}/tasks/t/runs`
      const runs = await pages<Run>(this.#url, this.#key, path)
      const came = runs.filter((run) => Date.parse(run.trigger.slot ?? '') === at).length
      if (came === 1) once += 1
      if (came > 1) doubled += 1
    }
    return { due: due.length, once, doubled }
  }
}
