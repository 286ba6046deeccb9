/** Ends in the very commit that accepts the run. */
export const instantNames = ['template'] as const

/** Done by a worker of ours. */
export const workingNames = [
  'api',
  'human_approval',
  'workflow',
  'router',
  'shell',
  'container',
] as const

/** Whether the agent's brain does it: a model where one is configured, else an agent that leases it. */
export function isPrompt(name: string | null | undefined): boolean {
  return !name || name === 'prompt'
}

/** Whether a worker of ours does it, and not an agent that leases it: as `prompt`, null and unknown names. */
export function isOurs(name: string | null | undefined): boolean {
  return ours.has(name ?? '')
}

const ours: ReadonlySet<string> = new Set([...instantNames, ...workingNames])
