import { pathBelow } from '#src/core/html/below.ts'

/** The pages of persons, by their paths in this service. */
export const pathsHere = {
  signIn: '/sign-in',
  signOut: '/sign-out',
  settings: '/settings',
} as const
const claimFolder = '/claim/'
/** Where a claim link leads of which the code is left out. */
export const claimWithoutCode = '/claim'

const charactersAtMost = 2000
// Nobody's, so that what leads to it leads nowhere else.
const here = 'http://here.invalid'

/** The code in the path of a claim link; undefined for another path. */
export function claimCodeIn(path: string): string | undefined {
  return path.startsWith(claimFolder) ? path.slice(claimFolder.length) : undefined
}

/** The same pages as a browser comes to them: the service may be reached below a path of its own. */
export class Paths {
  readonly #publicUrl: () => string

  constructor(publicUrl: () => string) {
    this.#publicUrl = publicUrl
  }

  get signIn(): string {
    return this.#from(pathsHere.signIn)
  }

  get signOut(): string {
    return this.#from(pathsHere.signOut)
  }

  /** The page of a claim. */
  claim(code: string): string {
    return this.#from(claimFolder + encodeURIComponent(code))
  }

  /** The page to sign in at, which leads on to this path. */
  signInFor(next: string): string {
    return `${this.signIn}?${new URLSearchParams({ next }).toString()}`
  }

  /** The settings of an account, or of one's own. */
  settings(account?: string, more: Record<string, string> = {}): string {
    const query = new URLSearchParams({ ...(account !== undefined && { account }), ...more })
    const path = this.#from(pathsHere.settings)
    return query.size === 0 ? path : `${path}?${query.toString()}`
  }

  #from(path: string): string {
    return pathBelow(this.#publicUrl(), path)
  }
}

/**
 * A path of ours that somebody is to be led on to, with its query; undefined for whatever a browser
 * could take for the address of another site.
 */
export function localPath(text: string | null): string | undefined {
  if (text === null || !text.startsWith('/') || text.length > charactersAtMost) return undefined
  const url = URL.parse(text, here)
  if (url?.origin !== here) return undefined
  const path = url.pathname + url.search
  // `/.//elsewhere` is of this origin, and what is left of it leads to another.
  return URL.parse(path, here)?.origin === here ? path : undefined
}
