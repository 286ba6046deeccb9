import * as z from 'zod'

/* The format of agents.json, version 0.1.0, as far as a reader of it can be held to it. */

const snake = /^[a-z][a-z0-9_]*$/
const End = z.strictObject({ actionId: z.string(), fieldPath: z.string().min(1) })
const Flow = z.looseObject({
  id: z.string().regex(snake),
  title: z.string().min(1),
  description: z.string().min(1),
  actions: z
    .array(
      z.looseObject({
        id: z.string().regex(snake),
        sourceId: z.string(),
        operationId: z.string(),
      }),
    )
    .min(1),
  links: z.array(z.strictObject({ origin: End, target: End })),
  fields: z.looseObject({
    parameters: z.array(
      z.strictObject({
        name: z.string(),
        description: z.string(),
        required: z.boolean(),
        type: z.string(),
      }),
    ),
    responses: z.strictObject({ success: z.looseObject({ properties: z.looseObject({}) }) }),
  }),
})

export const AgentsJson = z.looseObject({
  agentsJson: z.literal('0.1.0'),
  info: z.looseObject({
    title: z.string().min(1),
    version: z.string().regex(/^\d+\.\d+\.\d+$/),
    description: z.string().min(1),
  }),
  sources: z.array(z.looseObject({ id: z.string().regex(snake), path: z.url() })).min(1),
  overrides: z.array(z.looseObject({})),
  flows: z.array(Flow).min(1),
  links: z.record(z.string(), z.url()),
})
export type AgentsJson = z.infer<typeof AgentsJson>
type Flow = z.infer<typeof Flow>

/** An operation of the document, found by its id. */
export interface Found {
  method: string
  path: string
  parameters: readonly { name?: string; in?: string; schema?: unknown; $ref?: string }[]
  body: unknown
  answer: unknown
}

type Call = (found: Found, request: Request) => Promise<unknown>

/** What a call is made of. */
export interface Request {
  parameters: Record<string, unknown>
  requestBody: Record<string, unknown>
}

/**
 * Follows a flow: takes what it is given along the links, makes its calls in their order, and gives
 * what the flow says that it gives.
 */
export async function followed(
  flow: Flow,
  given: Readonly<Record<string, unknown>>,
  operation: (id: string) => Found,
  call: Call,
): Promise<Record<string, unknown>> {
  const answers = new Map<string, unknown>()
  const valueAt = ({ actionId, fieldPath }: z.infer<typeof End>): unknown => {
    if (actionId === flow.id) return at({ parameters: given }, fieldPath)
    return at({ responses: { success: answers.get(actionId) } }, fieldPath)
  }
  for (const { id, operationId } of flow.actions) {
    const request: Request = { parameters: {}, requestBody: {} }
    for (const { origin, target } of flow.links) {
      const value = target.actionId === id ? valueAt(origin) : undefined
      if (value === undefined) continue
      const [place, name = ''] = target.fieldPath.split('.')
      if (place !== 'parameters' && place !== 'requestBody') throw new Error(target.fieldPath)
      request[place][name] = value
    }
    answers.set(id, await call(operation(operationId), request))
  }
  const gives = flow.links.filter(({ target }) => target.actionId === flow.id)
  return Object.fromEntries(
    gives.map(({ origin, target }) => [target.fieldPath.split('.').at(-1), valueAt(origin)]),
  )
}

/** What stands at a path of names with dots between them. */
export function at(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((inside, name) => (inside as Record<string, unknown> | null)?.[name], value)
}
