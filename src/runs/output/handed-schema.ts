import type { OutputSchema } from '#src/agents/tasks/output/schema.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import type { Store } from '#src/ports/store.ts'
import type { StoredRun } from '../run.ts'

/** The member of a trigger's caller that says whose output the input is: the key of a task with a schema. */
const member = 'handoff_schema_of'

/** What the receiver of an output is told of its schema. */
export function schemaMark({ id, output_schema }: StoredTask): Record<string, string> {
  return output_schema ? { [member]: id } : {}
}

/** The schema of the output that was handed on as the input of a run, if there is one. */
export async function handedSchema(
  { tasks }: Pick<Store, 'tasks'>,
  { trigger }: Pick<StoredRun, 'trigger'>,
): Promise<OutputSchema | undefined> {
  const id = trigger.caller?.[member]
  const giver = typeof id === 'string' ? await tasks.get(id) : undefined
  return giver?.output_schema ?? undefined
}

/** What a brain is told of the schema that its output is held to. */
export function schemaWords(schema: OutputSchema): string {
  return `Answer with JSON that fits this JSON Schema, and nothing else: ${JSON.stringify(schema)}`
}
