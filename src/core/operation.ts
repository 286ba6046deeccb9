import * as z from 'zod'
import type { Answer } from './answer.ts'
import type { Context, Ports } from './context.ts'
import { slimInput } from './input/slim.ts'
import { takesAgent, type Auth, type OperationFacts } from './operation-facts.ts'

/** A signature that comes with a body, known before the body itself. */
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
   * Checks again before a kept answer is returned: the caller may no longer be allowed to see it.
   * @throws Refusal if not
   */
  again?(
    answer: string,
    context: Pick<Context, 'store' | 'caller' | 'address' | 'settings'>,
  ): Promise<void>
  /**
   * Whether a body at this address may be authentic with such a signature. If nothing asks for a signature,
   * or it has another form, the sender is treated like any other stranger.
   */
  takesSignature?(sent: SentSignature, ports: Ports): boolean | Promise<boolean>
  run(
    input: z.output<I>,
    context: Context<A>,
  ): Promise<Answer<z.input<O>> | z.input<O>> | Answer<z.input<O>> | z.input<O>
  /** The same as events while they happen, for a caller that asks for a stream: an answer with `events`. */
  follow?(input: z.output<I>, context: Context<A>): Promise<Answer<z.input<O>>>
  /**
   * For `auth: 'key'`: the answer to a call without a credential.
   * @returns undefined where it needs one: such a call is refused as unauthenticated, and learns nothing else
   */
  keyless?(
    input: z.output<I>,
    context: Context<'none'>,
  ): Promise<Answer<z.input<O>> | z.input<O> | undefined>
}

/**
 * Gives the definition its types: `caller.accountId` exists because `auth: 'key'` says so. And its input
 * the members that the entrance itself acts on, and takes out before it runs.
 */
export function operation<I extends z.ZodObject, O extends z.ZodObject, const A extends Auth>(
  definition: Operation<I, O, A>,
): Operation<I, O, A> {
  const further = {
    ...(takesAgent(definition) && agentInput),
    ...(definition.slim && slimInput),
  }
  if (Object.keys(further).length === 0) return definition
  // What runs has the input that it has declared.
  return { ...definition, input: definition.input.extend(further) as unknown as I }
}

const agentInput = {
  as_char_id: z.string().max(128).optional().describe('With a key of the account: its agent.'),
}
