/** Who may get an account or a handle: anyone, anyone with an invitation, or no one. */
export const signUpModes = ['open', 'invited', 'closed'] as const
/** How a server admits newcomers. */
export type SignUpMode = (typeof signUpModes)[number]

/** How a server admits newcomers, and whom they may ask. */
export interface SignUp {
  mode: SignUpMode
  /** An e-mail address or a URL; undefined if the operator names none. */
  contact: string | undefined
}

/** Anyone gets an account; also the default of an operation's definition. */
export const openSignUp: SignUp = { mode: 'open', contact: undefined }
