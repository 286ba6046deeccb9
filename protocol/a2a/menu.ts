import { isOfCommons } from '#src/core/operation-facts.ts'
import type { Operation } from '#src/core/operation.ts'

/** The data part with which a message calls an operation. */
export interface OperationCall {
  operation: string
  params: unknown
}

/** Operations with the same first word, in document order. */
export interface Group {
  id: string
  title: string
  operations: readonly Operation[]
}

/** By the first word of the names; if all are of the Commons, by the second. */
export function groupsOf(operations: readonly Operation[]): Group[] {
  const position = operations.every(isOfCommons) ? 1 : 0
  const groups = Map.groupBy(operations, (op) => wordOf(op, position))
  return [...groups].map(([id, members]) => ({
    id,
    title: capitalised(id.replaceAll('_', ' ')),
    operations: members,
  }))
}

function wordOf({ name }: Operation, position: 0 | 1): string {
  return name.split('.')[position] ?? name
}

/** A title for people: the group and the action. */
export function titleOf(op: Pick<Operation, 'name'>): string {
  const [group = '', ...rest] = op.name.replaceAll('_', ' ').split('.')
  return `${capitalised(group)}: ${rest.join(' ')}`
}

/** A data part that works, or would with the reader's own ids. */
export function exampleCall(op: Pick<Operation, 'name' | 'example'>): OperationCall {
  return { operation: op.name, params: op.example }
}

/** The answer to an agent that sends words where a call is expected. */
export interface Menu {
  text: string
  data: {
    how: string
    groups: readonly {
      group: string
      operations: readonly { operation: string; summary: string }[]
      example: OperationCall
    }[]
  }
}

const how =
  'Send a message with a data part {"operation": "<name>", "params": {…}}; the task that answers it carries the result.'

export function menuOf(name: string, operations: readonly Operation[], publicUrl: string): Menu {
  const groups = groupsOf(operations)
  const lines = groups.map(({ title, operations: members }) => {
    const names = members.map((op) => op.name).join(', ')
    return `- ${title}: ${names}`
  })
  return {
    text: `${name} does what an operation says, not what words say. ${how}\n\n${lines.join('\n')}\n\nSchemas of all of them: ${publicUrl}/openapi.agent.json`,
    data: {
      how,
      groups: groups.map(({ id, operations: members }) => ({
        group: id,
        operations: members.map((op) => ({ operation: op.name, summary: op.summary })),
        example: exampleCall(telling(members)),
      })),
    },
  }
}

/** The member of a group that best shows its use: one with a non-empty example. */
function telling(members: readonly Operation[]): Operation {
  const [first] = members
  if (!first) throw new Error('a group has at least one operation')
  return members.find((op) => Object.keys(op.example).length > 0) ?? first
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
