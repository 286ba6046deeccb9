import * as z from 'zod'

const made = new WeakMap<z.ZodType, z.ZodType>()

/**
 * The schema of what is merged into a document: nothing is required, and nothing has a default,
 * because what is absent stays. Lists are not merged, so their items are unchanged. Shared parts keep
 * their names, with `Patch` in place of `Schema` or appended.
 */
export function patchOf(schema: z.ZodType): z.ZodType {
  const known = made.get(schema)
  if (known) return known
  const patch = described(schema, looseningOf(schema))
  made.set(schema, patch)
  return patch
}

function looseningOf(schema: z.ZodType): z.ZodType {
  // What these wrap is always one of zod's own classes.
  if (schema instanceof z.ZodDefault) return patchOf(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodOptional) return patchOf(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodNullable) return patchOf(schema.unwrap() as z.ZodType).nullable()
  if (!(schema instanceof z.ZodObject)) return schema
  const members = Object.entries<z.ZodType>(schema.shape)
  const shape = members.map(([name, member]) => [name, patchOf(member).optional()] as const)
  return z.looseObject(Object.fromEntries(shape))
}

/** The same description as that of the whole. */
function described(schema: z.ZodType, patch: z.ZodType): z.ZodType {
  const { id, description } = schema.meta() ?? {}
  const isNamed = typeof id === 'string' && schema instanceof z.ZodObject
  if (patch === schema || (!isNamed && description === undefined)) return patch
  return patch.meta({
    ...(description !== undefined && { description }),
    ...(isNamed && { id: `${id.replace(/(?:Schema|Input|Definition)$/, '')}Patch` }),
  })
}
