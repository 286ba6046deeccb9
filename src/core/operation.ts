import type * as z from 'zod'
import type { Answer } from './answer.ts'
import type { Context, Ports } from './context.ts'
import type { Auth, OperationFacts } from './operation-facts.ts'

/** What comes beside a body before the body itself. */
export interface SentSignature {
  /** The parameters of its path. */
  params: Readonly<Record<string, string>>
  signature: string
}

/** An operation as a value: every door, document and test is a loop over these. */
export interface Operation<
  I extends z.ZodObject = z.ZodObject,
  O extends z.ZodObject = z.ZodObject,
  A extends Auth = Auth,
> extends OperationFacts<I, O, A> {
  /**
   * Looks once more before a kept answer is given again: what it shows may no longer be for the caller.
   * @throws Refusal where it is not
   */
  again?(
    answer: string,
    context: Pick<Context, 'store' | 'caller' | 'address' | 'settings'>,
  ): Promise<void>
  /**
   * Whether a body that comes to this address with such a signature may be what it says: where nothing asks
   * for a signature, or it has another form, whoever sends it is a stranger like any other.
   */
  takesSignature?(sent: SentSignature, ports: Ports): boolean | Promise<boolean>
  run(
    input: z.output<I>,
    context: Context<A>,
  ): Promise<Answer<z.input<O>> | z.input<O>> | Answer<z.input<O>> | z.input<O>
  /** The same as events while they happen, for a caller that asks for a stream: an answer with `events`. */
  follow?(input: z.output<I>, context: Context<A>): Promise<Answer<z.input<O>>>
}

/** Gives the definition its types: `caller.accountId` exists because `auth: 'key'` says so. */
export function operation<I extends z.ZodObject, O extends z.ZodObject, const A extends Auth>(
  definition: Operation<I, O, A>,
): Operation<I, O, A> {
  return definition
}
