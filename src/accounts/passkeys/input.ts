import * as z from 'zod'

const ticketAtMost = 1000
const answerAtMost = 20_000

/** What a browser is given for its authenticator. */
export const Asked = z.object({
  ticket: z.string().describe('Goes back with the answer, within five minutes.'),
  options: z
    .record(z.string(), z.unknown())
    .describe('PublicKeyCredentialCreationOptionsJSON or -RequestOptionsJSON of WebAuthn.'),
})

/** What it brings back. */
export const answeredMembers = {
  ticket: z.string().max(ticketAtMost),
  answer: z
    .string()
    .max(answerAtMost)
    .describe('What the authenticator says: PublicKeyCredential.toJSON(), as a text.'),
}

/** The same as one member. */
export const Answered = z.strictObject(answeredMembers)
/** What a browser brings back from its authenticator. */
export type Answered = z.infer<typeof Answered>
