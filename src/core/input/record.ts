import * as z from 'zod'
import { isMap } from '../maps.ts'

/**
 * A map with values of one schema and a maximum number of members. If there are more, none is checked: zod
 * itself would check every one of 100,000. Wrap it, but do not describe or refine it further, which makes
 * a copy without the bound.
 */
export function recordUpTo<V extends z.ZodType>(most: number, value: V) {
  const schema = z.record(z.string(), value).meta({ maxProperties: most })
  const internals = schema._zod
  const parse = internals.parse.bind(internals)
  const bounded: typeof internals.parse = (payload, context) => {
    if (!isMap(payload.value) || !hasMore(payload.value, most)) return parse(payload, context)
    const message = `must have at most ${most} members`
    const origin = 'record'
    payload.issues.push({
      code: 'too_big',
      origin,
      maximum: most,
      inclusive: true,
      message,
      input: payload.value,
      inst: schema,
    })
    return payload
  }
  internals.parse = bounded
  internals.run = bounded
  return schema
}

function hasMore(value: object, most: number): boolean {
  let count = 0
  // Parsed JSON has own members only.
  for (const _ in value) if (++count > most) return true
  return false
}
