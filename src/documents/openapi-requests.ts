import * as z from 'zod'
import type {
  ZodOpenApiOperationObject,
  ZodOpenApiRequestBodyObject,
} from 'zod-openapi'
import type { Operation } from '#src/core/operation.ts'
import { documentedAs } from '#src/core/schema.ts'

type Parameters = NonNullable<ZodOpenApiOperationObject['parameters']>
type Shape = Record<string, z.ZodType>

/** Members of the path, members of the query, and the headers that change what a call does. */
export function parametersOf(op: Operation, path: string): Parameters {
  const inPath = membersIn(path)
  const example: Shape | Record<string, unknown> = op.example
  const parameters: Parameters = []
  for (const [name, schema] of Object.entries(shownShape(op))) {
    const place = inPath.includes(name) ? 'path' : isInQuery(op, name) ? 'query' : undefined
    if (!place) continue
    const sample = Object.hasOwn(example, name) ? { example: example[name] } : {}
    parameters.push(schema.meta({ ...schema.meta(), param: { name, in: place, ...sample } }))
  }
  return [...parameters, ...headersOf(op)]
}
