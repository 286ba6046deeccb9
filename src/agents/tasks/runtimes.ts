/** What is known of a runtime wherever tasks are read; the code that carries it out is in `runs`. */
interface RuntimeFacts {
  /** What carries out its runs: the commit that accepts them, a worker of this service, or the agent's brain. */
  by: 'commit' | 'worker' | 'brain'
  /** Whether it works with everything that the agent has, regardless of the texts of the task. */
  reachesAll: boolean
}

/** Every runtime that a task may name, in the order of the documents; null stands for `prompt`. */
export const runtimeTable = {
  prompt: { by: 'brain', reachesAll: false },
  template: { by: 'commit', reachesAll: false },
  api: { by: 'worker', reachesAll: false },
  human_approval: { by: 'worker', reachesAll: false },
  workflow: { by: 'worker', reachesAll: true },
  router: { by: 'worker', reachesAll: true },
  shell: { by: 'worker', reachesAll: true },
  container: { by: 'worker', reachesAll: true },
} as const satisfies Record<string, RuntimeFacts>

type Table = typeof runtimeTable
/** The runtimes that are carried out in one way. */
export type RuntimesBy<B extends RuntimeFacts['by']> = {
  [N in keyof Table]: Table[N]['by'] extends B ? N : never
}[keyof Table]

const facts: ReadonlyMap<string, RuntimeFacts> = new Map(Object.entries(runtimeTable))

/** The names of all runtimes. */
export const runtimeNames: readonly string[] = [...facts.keys()]

/** What is known of the runtime of a task; undefined for a name that no runtime has. */
export function runtimeFacts(name: string | null | undefined): RuntimeFacts | undefined {
  return facts.get(name || 'prompt')
}

/** Whether the agent's brain does it: a configured model, or else an agent that leases the run. */
export function isPrompt(name: string | null | undefined): boolean {
  return !name || name === 'prompt'
}

/** Whether a runtime other than the brain does it: false for `prompt`, null and unknown names. */
export function isOurs(name: string | null | undefined): boolean {
  const by = runtimeFacts(name)?.by
  return by !== undefined && by !== 'brain'
}
