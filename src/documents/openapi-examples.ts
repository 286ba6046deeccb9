import { standingNotice } from '#src/core/commons/notice.ts'
import { isOfCommons } from '#src/core/operation-facts.ts'
import type { OperationFacts } from '#src/core/operation-facts.ts'
import answers from './answers.json' with { type: 'json' }
import type { Steps } from '#src/core/turns/portions.ts'
import type { OpenapiDocument } from './openapi-document.ts'
import { named, samples } from './samples.ts'

const requestId = 'b9e0c6b0'

/**
 * The recorded answers of operations to their examples, each in the form of its door. They hold
 * `{base_url}` in place of the address of the service.
 */
// Written by the recorder, which checks each answer.
const recorded = answers as Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** The recorded answer of the operation to its example, or undefined. */
export function answerExample(
  op: OperationFacts,
  publicUrl: string,
): Readonly<Record<string, unknown>> | undefined {
  const answer = recorded[op.name]
  if (!answer) return undefined
  const value = filled(answer, publicUrl)
  return isOfCommons(op) ? inEnvelope(value, 'next_cursor' in op.output.shape) : value
}

function inEnvelope(value: Record<string, unknown>, isList: boolean): Record<string, unknown> {
  const { next_cursor, ...items } = value
  return {
    ok: true,
    data: isList ? items : value,
    error: null,
    notice: standingNotice,
    meta: { request_id: requestId, ...(isList && { next_cursor }) },
  }
}

/** An input that shows the call, with ids in their real form. */
export function requestExample(op: OperationFacts): Readonly<Record<string, unknown>> {
  return samples(op.example)
}

interface Parameter {
  $ref?: string
  name?: string
  in?: string
  example?: unknown
}

interface Content {
  schema?: unknown
  example?: unknown
  examples?: Record<string, { value: Record<string, unknown> }>
}

interface Documented {
  'x-abode-operation': string
  parameters?: Parameter[]
  responses: Record<string, { $ref?: string; content?: Record<string, Content> }>
}

/** The document with an example for every parameter that has one, and for every answer. */
export function* withExamples(
  document: OpenapiDocument,
  catalog: readonly OperationFacts[],
  publicUrl: string,
): Steps<OpenapiDocument> {
  const byName = new Map(catalog.map((op) => [op.name, op]))
  for (const item of Object.values(document.paths ?? {})) {
    for (const one of Object.values(item ?? {})) {
      // Paths hold only our operations.
      const shown = one as unknown as Documented
      const op = byName.get(shown['x-abode-operation'])
      if (!op) continue
      exemplify(shown.parameters ?? [], requestExample(op))
      const answer = answerExample(op, publicUrl)
      if (answer) showAnswer(shown, op, answer, document, publicUrl)
    }
    yield
  }
  return document
}

function exemplify(
  parameters: readonly Parameter[],
  example: Readonly<Record<string, unknown>>,
): void {
  for (const parameter of parameters) {
    const { name } = parameter
    if (name === undefined) continue
    const value = example[name] ?? (parameter.in === 'path' ? named[name] : undefined)
    if (value !== undefined) parameter.example = value
  }
}

function showAnswer(
  { responses }: Documented,
  op: OperationFacts,
  answer: Readonly<Record<string, unknown>>,
  document: OpenapiDocument,
  publicUrl: string,
): void {
  for (const status of [op.http.status ?? 200, 200, 202]) {
    const content = responses[String(status)]?.content?.['application/json']
    if (content) content.example = answer
  }
  const { $ref = '' } = responses['402'] ?? {}
  const id = $ref.split('/').at(-1) ?? ''
  // Our own response, which says what is to be paid in addition to the code.
  const unpaid = document.components?.responses?.[id] as Documented['responses'][string] | undefined
  const { examples = {} } = unpaid?.content?.['application/json'] ?? {}
  const refused = filled(recorded[`${op.name} 402`] ?? {}, publicUrl)
  const example = examples[String(refused['code'])]
  if (example) example.value = refused
}

/** With the address of the service in its places. */
function filled(
  answer: Readonly<Record<string, unknown>>,
  publicUrl: string,
): Record<string, unknown> {
  const text = JSON.stringify(answer).replaceAll('{base_url}', () => publicUrl)
  // The same JSON except for its addresses.
  return JSON.parse(text) as Record<string, unknown>
}
