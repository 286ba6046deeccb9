import * as z from 'zod'
import { issueWords } from '#src/core/words/issue.ts'
import type { ToolOffer } from '#src/ports/model.ts'

/** A tool that a run may use. */
export interface RunTool {
  offer: ToolOffer
  /** It may spend, delete or change access: a supervised task asks a person where strangers' words are known. */
  needsPerson?: boolean
  /** What the model is told. @throws ToolFault with what it is told instead */
  call(input: unknown, signal: AbortSignal): Promise<string>
}

/** A tool could not do what it was asked for; the message is for the model, which may go on. */
export class ToolFault extends Error {
  override readonly name = 'ToolFault'
}

/** A tool that the server itself has, with checked arguments. */
export function ownTool<I extends z.ZodObject>(
  name: string,
  description: string,
  input: I,
  call: (input: z.output<I>, signal: AbortSignal) => Promise<string>,
): RunTool {
  const { $schema: _, ...parameters } = z.toJSONSchema(input)
  return {
    offer: { name, description, parameters },
    call(sent, signal) {
      const read = input.safeParse(sent, { error: issueWords })
      if (read.success) return call(read.data, signal)
      const faults = read.error.issues.slice(0, 5)
      const said = faults.map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`)
      throw new ToolFault(`These arguments do not fit. ${said.join('; ')}`)
    },
  }
}

const nameAtMost = 64

/** Gives tools names that every provider takes, each once. */
export class ToolNames {
  readonly #taken = new Set<string>()

  take(wanted: string): string {
    const base = wanted.replaceAll(/[^A-Za-z0-9_-]+/g, '_').slice(0, nameAtMost) || 'tool'
    let name = base
    for (let i = 2; this.#taken.has(name); i++) {
      const ending = `_${i}`
      name = base.slice(0, nameAtMost - ending.length) + ending
    }
    this.#taken.add(name)
    return name
  }
}
