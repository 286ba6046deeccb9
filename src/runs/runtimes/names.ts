/** Runtimes whose runs end in the commit that accepts them. */
export const instantNames = ['template'] as const

/** Runtimes that our workers carry out. */
export const workingNames = [
  'api',
  'human_approval',
  'workflow',
  'router',
  'shell',
  'container',
] as const

/** Whether the agent's brain does it: a configured model, or else an agent that leases the run. */
export function isPrompt(name: string | null | undefined): boolean {
  return !name || name === 'prompt'
}

/** Whether a runtime other than the brain does it: false for `prompt`, null and unknown names. */
export function isOurs(name: string | null | undefined): boolean {
  return ours.has(name ?? '')
}

const ours: ReadonlySet<string> = new Set([...instantNames, ...workingNames])
