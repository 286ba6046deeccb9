import * as z from 'zod'
import { refuse, type RefusalOptions } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'
import { openSignUp } from '#src/core/admission/sign-up-mode.ts'
import { Invitation } from '#src/core/admission/sign-up.ts'
import { registerByMail } from '#src/accounts/mail/newcomer.ts'
import { hashOf, mustHavePasswords } from '#src/accounts/people/password.ts'
import {
  Email,
  emailKey,
  isSpelt,
  newPerson,
  NewPassword,
  passwordIsEmail,
  Person,
} from '#src/accounts/people/person.ts'
import { signIn } from '#src/accounts/people/sign-in.ts'
import { countKnown, mayMeetKnown } from '#src/accounts/people/tries.ts'
import { DuplicateKey } from '#src/ports/store.ts'

export const register = operation({
  name: 'auth.register',
  summary: 'Register a person, with an account of their own, and sign them in.',
  description:
    'The answer sets the cookie of the session. A session that the browser had before ends. Where the server sends ' +
    'mails, a link is sent first, with which <auth.verify_email> registers and signs in; the answer is then the same for ' +
    'an address that is registered. An agent needs none of this: agent_claim.create gives it a key.',
  example: { email: 'ada@example.org', password: 'a few words in a row' },
  auth: 'none',
  http: { method: 'POST', path: '/api/auth/register', status: 201, mayAccept: true },
  toolsets: ['account'],
  restOnly: true,
  input: z
    .strictObject({
      email: Email,
      password: NewPassword,
      invitation: Invitation.describe(
        'The code of an invitation into an account admits everywhere. Where the server admits by invitation, so does ' +
          'an invitation code, or the code of a claim link.',
      ),
      next: z
        .string()
        .max(2000)
        .optional()
        .describe('Where a link is sent first: the path of the page here on which it ends.'),
    })
    .refine(({ email, password }) => !isSpelt(password, email), {
      path: ['password'],
      error: passwordIsEmail,
    }),
  output: z.object({
    person: Person.nullable().describe('Null where a link is sent first.'),
    account_id: z.string().nullable().describe("The person's own account; null likewise."),
    mailed: z.literal(true).optional().describe('A link was sent.'),
  }),
  refuses: ['email_taken', 'sign_up_closed', 'passwords_off'],
  limits: ['registrations'],
  unkept: true,
  signUp: openSignUp,
  admitsInvited: true,

  async run({ email, password, invitation = null, next = null }, context) {
    mustHavePasswords(context.settings)
    if (context.mailer) return registerByMail(context, { email, password, invitation, next })
    const { store, clock } = context
    await mayMeetKnown(context)
    const [known] = await store.persons.find({ email_key: emailKey(email) }, { limit: 1 })
    if (known) {
      await countKnown(context)
      return taken()
    }
    const { person, writes } = newPerson(email, await hashOf(password), clock.now())
    return signIn(context, person, { by: 'password', writes }).catch(async (cause: unknown) => {
      if (!(cause instanceof DuplicateKey) || cause.in !== 'persons') throw cause
      await countKnown(context)
      return taken({ cause })
    })
  },
})

function taken(options: RefusalOptions = {}): never {
  const hint = 'Sign in with it: <auth.login>.'
  return refuse('email_taken', 'This e-mail address is already registered.', { hint, ...options })
}
