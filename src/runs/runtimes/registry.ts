import { api } from './api.ts'
import { container } from './container.ts'
import { humanApproval } from './human-approval.ts'
import { router } from './router.ts'
import { shell } from './shell.ts'
import { template } from './template.ts'
import { workflow } from './workflow.ts'
import { isPrompt, type RuntimesBy } from '#src/agents/tasks/runtimes.ts'
import type { InstantRuntime, Runtime } from './runtime.ts'

// Apart from the table of names, which code that makes runs needs: a runtime may make runs itself.
const instant: Readonly<Record<RuntimesBy<'commit'>, InstantRuntime>> = { template }

const working: Readonly<Record<RuntimesBy<'worker'>, Runtime>> = {
  api,
  human_approval: humanApproval,
  workflow,
  router,
  shell,
  container,
}

// Imported on first use: it brings many tools, and most processes never need it.
const prompt: Runtime = async (work) => (await import('./prompt/prompt.ts')).prompt(work)

const instants: ReadonlyMap<string, InstantRuntime> = new Map(Object.entries(instant))
const workers: ReadonlyMap<string, Runtime> = new Map(Object.entries(working))

/** The runtime of that name that ends at once, if it is one of those. */
export function instantRuntime(name: string | null | undefined): InstantRuntime | undefined {
  return instants.get(name ?? '')
}

/** The runtime of that name that our workers carry out, if it is one of those. */
export function workingRuntime(name: string | null | undefined): Runtime | undefined {
  return isPrompt(name) ? prompt : workers.get(name ?? '')
}
