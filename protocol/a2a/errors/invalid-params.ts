import type { FaultItem } from '#src/core/errors.ts'
import { pointerTo } from '#src/core/text/text.ts'
import { fieldOf } from './details.ts'

/** Params of one of the protocol's methods that are wrong. */
export class InvalidParams extends Error {
  override readonly name = 'InvalidParams'
  readonly errors: readonly FaultItem[]
  readonly hint: string | undefined

  constructor(errors: readonly [FaultItem, ...FaultItem[]], hint?: string) {
    const [first] = errors
    const field = fieldOf(first.pointer)
    super(field === '' ? first.message : `${field}: ${first.message}`)
    this.errors = errors
    this.hint = hint
  }

  /** With a member that is wrong in a way that only the method can detect. @param field as `message.parts[0]` */
  static at(field: string, message: string, hint?: string): InvalidParams {
    const steps = field.split(/[.[\]]+/).filter((step) => step !== '')
    return new InvalidParams([{ pointer: pointerTo(steps), message, code: 'invalid_value' }], hint)
  }
}
