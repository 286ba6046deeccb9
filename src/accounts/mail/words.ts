import type { Settings } from '#src/core/settings.ts'
import type { OutgoingMail } from '#src/ports/mail/mailer.ts'
import { forgotPath } from './link.ts'

type Words = Pick<OutgoingMail, 'subject' | 'text'>

/** Whom a mail goes to, and what its link leads to. */
interface Addressed {
  settings: Pick<Settings, 'publicUrl'>
  email: string
  address: string
}

/** A mail is a few lines and one link. */
function lines(subject: string, ...paragraphs: readonly string[]): Words {
  return { subject, text: `${paragraphs.join('\n\n')}\n` }
}

function hostOf({ settings }: Pick<Addressed, 'settings'>): string {
  return new URL(settings.publicUrl).host
}

/** To a person who has forgotten their password. */
export function resetWords(to: Addressed): Words {
  return lines(
    'Set a new password',
    `Someone, most likely you, has asked for a new password for ${to.email} at ${hostOf(to)}.`,
    `Set it here, within an hour:\n${to.address}`,
    'If it was not you, do nothing: your password stays as it is.',
  )
}

/** The same to one who has none. */
export function noPasswordWords(to: Addressed): Words {
  return lines(
    'You sign in without a password',
    `Someone, most likely you, has asked for a new password for ${to.email} at ${hostOf(to)}.`,
    `You have none there: you sign in with a provider, as you did before, at\n${to.address}`,
    'If it was not you, do nothing.',
  )
}

/** To who has registered, or wants their address verified. */
export function verifyWords(to: Addressed): Words {
  return lines(
    'Confirm your e-mail address',
    `Someone, most likely you, has given ${to.email} as their address at ${hostOf(to)}.`,
    `Confirm it here, within a day, with the password that you have chosen there:\n${to.address}`,
    'If it was not you, do nothing: then nothing happens.',
  )
}

/** To who has registered before. */
export function knownWords(to: Addressed): Words {
  return lines(
    'You have registered before',
    `Someone, most likely you, wanted to register with ${to.email} at ${hostOf(to)}. You have done that before: sign in with your password.`,
    `If you have forgotten it, set a new one:\n${to.address}`,
    'If it was not you, do nothing.',
  )
}

/** After a password was changed. */
export function changedWords(to: Addressed): Words {
  return lines(
    'Your password was changed',
    `The password for ${to.email} at ${hostOf(to)} was changed, and everyone who was signed in with the old one is signed out.`,
    `If it was not you, set another one at once:\n${to.address}`,
  )
}

/** After an account was deleted. @param called its name */
export function deletedWords(to: Addressed, called: string): Words {
  return lines(
    'The account was deleted',
    `The account ${called} at ${hostOf(to)} was deleted, with everything that it had. Its keys and programs work no more.`,
    `It cannot be brought back. If it was not you, or another owner of it, tell the operator:\n${to.address}`,
  )
}

/** After another way to sign in was added, or one was taken away. @param what what signing in does now */
export function factorWords(to: Addressed, what: string): Words {
  return lines(
    'How you sign in was changed',
    `Signing in with ${to.email} at ${hostOf(to)} ${what}.`,
    `If it was not you, set another password at once:\n${to.address}${forgotPath}`,
  )
}
