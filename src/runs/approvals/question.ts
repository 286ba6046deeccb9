import { digest } from '#src/core/ids.ts'
import { canonical } from '#src/core/text/canonical.ts'
import type { StoredRun } from '../run.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import type { StoredApproval } from './approval.ts'

/**
 * The members of a task that decide what a run of it does, where its result goes, and under which
 * terms it was asked. A change of others, such as its name or its schedule, does not change the run.
 */
const decisive = [
  'prompt',
  'variables',
  'variable_types',
  'tools',
  'runtime',
  'runtime_mode',
  'model_override',
  'router_model',
  'container_image',
  'container_command',
  'shell_command',
  'workflow_entry',
  'api_url',
  'artifact_stores',
  'output_path',
  'memory_namespace',
  'selected_secrets',
  'selected_connections',
  'output_sharing',
  'social_posting',
  'post_to_feed',
  'quorum',
  'approval_gate',
] as const satisfies readonly (keyof StoredTask)[]

type Asked = Pick<StoredApproval, 'kind' | 'prompt'> & {
  tool_call?: StoredApproval['tool_call'] | undefined
}
type AskedOf = Pick<StoredRun, 'input' | 'variables'>

/** SHA-256 of what was asked: the question, the run's input, and what its task would do. */
export function fingerprintOf(
  { kind, prompt, tool_call }: Asked,
  run: AskedOf,
  task: StoredTask,
): string {
  const work: unknown[] = decisive.map((member) => task[member])
  // Fingerprints of before have no place for it.
  if (task.output_schema) work.push(task.output_schema)
  const asked = [kind, prompt, run.input, run.variables, work]
  return digest(canonical(tool_call ? [...asked, tool_call] : asked))
}

/** Whether the run would still do what was asked. */
export function isAsAsked(
  approval: Asked & Pick<StoredApproval, 'fingerprint'>,
  run: AskedOf,
  task: StoredTask,
): boolean {
  return approval.fingerprint === fingerprintOf(approval, run, task)
}
