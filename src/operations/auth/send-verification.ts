import * as z from 'zod'
import { newLink, verifySeconds } from '#src/accounts/mail/link.ts'
import { mailTo, mustHaveMail } from '#src/accounts/mail/mail.ts'
import { verifyWords } from '#src/accounts/mail/words.ts'
import { mustHavePasswords } from '#src/accounts/people/password.ts'
import { publicPerson } from '#src/accounts/people/person.ts'
import { sessionEnded } from '#src/core/admission/session-callers.ts'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'

export const sendVerification = operation({
  name: 'auth.send_verification',
  summary: 'Have a link sent that verifies the e-mail address of the signed-in person.',
  description: 'Three times an hour at most; none is sent to an address that is verified.',
  example: {},
  auth: 'person',
  ofPerson: true,
  http: { method: 'POST', path: '/api/auth/send-verification' },
  toolsets: ['account'],
  restOnly: true,
  input: z.strictObject({}),
  output: z.object({
    email_verified: z.boolean().describe('Whether it is verified already.'),
  }),
  refuses: ['person_needed', 'mail_off', 'passwords_off'],
  limits: ['mails'],

  async run(_, context) {
    const { store, caller, settings, commit } = context
    mustHavePasswords(settings)
    mustHaveMail(context)
    const person = await store.persons.get(caller.personId)
    if (!person) return refuse('invalid_credential', sessionEnded)
    const { email_verified } = publicPerson(person)
    if (email_verified) return { email_verified }
    const link = newLink(context, { kind: 'verify', person_id: person.id }, verifySeconds)
    const { email, account_id: accountId } = person
    const words = verifyWords({ settings, email, address: link.address })
    const about = { kind: 'verify', to: email, accountId, holdsSeconds: verifySeconds } as const
    const mail = await mailTo(context, { ...about, ...words })
    return commit({ email_verified }, [link.write, ...mail])
  },
})
