import { emailAtMost, passwordAtLeast, passwordAtMost } from '#src/accounts/people/person.ts'
import { html, type Html } from '#src/core/html/html.ts'
import { field, type Problems } from '../fields.ts'

/** What is asked of a password. */
const passwordRule = `At least ${passwordAtLeast} characters: a few words in a row do well.`

/** What is said of one that is too short or too long. */
export const passwordWords = `Choose a password of ${passwordAtLeast} to ${passwordAtMost} characters.`

/** The field for the address by which a person signs in. */
export function emailField(value: string, problems: Problems): Html {
  return field({
    name: 'email',
    label: 'E-mail address',
    attributes: html`type="email" autocomplete="username" autocapitalize="none" spellcheck="false"
    maxlength="${emailAtMost}" required`,
    value,
    problems,
  })
}

/** The field for the password that a person has. */
export function passwordField(problems: Problems, label = 'Password', name = 'password'): Html {
  return field({
    name,
    label,
    attributes: html`type="password" autocomplete="current-password" required`,
    problems,
  })
}

/** The field for a password that a person chooses. */
export function newPasswordField(label: string, problems: Problems, name = 'password'): Html {
  return field({
    name,
    label,
    attributes: html`type="password" autocomplete="new-password" required`,
    hint: passwordRule,
    problems,
  })
}

/** The field for a code of an app, or a recovery code. */
export function codeField(problems: Problems, label: string, name = 'code'): Html {
  return field({
    name,
    label,
    attributes: html`autocomplete="one-time-code" autocapitalize="none" spellcheck="false"
    maxlength="40" required`,
    problems,
  })
}
