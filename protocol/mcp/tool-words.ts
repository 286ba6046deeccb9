import { toolName } from '#src/core/operation-facts.ts'
import type { ToolDescriptor } from './descriptor.ts'

const dotted = /(?<![a-z_])[a-z_]{1,48}(?:\.[a-z_]{1,48}){1,6}/g

/** A text that names operations as methods, by the names of their tools. @param tools the names of all of them */
export function inToolNames(text: string, tools: ReadonlySet<string>): string {
  return text.replaceAll(dotted, (name) =>
    tools.has(toolName({ name })) ? toolName({ name }) : name,
  )
}

/** A descriptor whose texts, those of its schemas too, name operations as tools. */
export function inToolWords(tool: ToolDescriptor, tools: ReadonlySet<string>): ToolDescriptor {
  const { description, inputSchema, outputSchema } = tool
  return {
    ...tool,
    description: inToolNames(description, tools),
    inputSchema: described(inputSchema, tools),
    ...(outputSchema && { outputSchema: described(outputSchema, tools) }),
  }
}

function described<S extends object>(schema: S, tools: ReadonlySet<string>): S {
  const text = JSON.stringify(schema)
  const isNamed = (text.match(dotted) ?? []).some((name) => tools.has(toolName({ name })))
  if (!isNamed) return schema
  // A copy of the same form.
  return JSON.parse(text, (member, value: unknown) =>
    member === 'description' && typeof value === 'string' ? inToolNames(value, tools) : value,
  ) as S
}
