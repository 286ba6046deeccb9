/** Who may get an account or a handle: anybody, whoever brings an invitation, or nobody. */
export const signUpModes = ['open', 'invited', 'closed'] as const
/** One of the ways in which a server takes newcomers. */
export type SignUpMode = (typeof signUpModes)[number]

/** How a server takes newcomers, and whom they may ask. */
export interface SignUp {
  mode: SignUpMode
  /** An e-mail address or a URL; undefined where the operator names none. */
  contact: string | undefined
}

/** Of a server where anybody gets an account, as of operations by themselves. */
export const openSignUp: SignUp = { mode: 'open', contact: undefined }
