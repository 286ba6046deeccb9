import { pathBelow } from '#src/core/html/below.ts'

/** The pages for persons, by their paths in this service. */
export const pathsHere = {
  signIn: '/sign-in',
  signInWith: '/sign-in/with',
  signOut: '/sign-out',
  settings: '/settings',
} as const
const claimFolder = '/claim/'
const approvalFolder = '/approvals/'
const connectFolder = '/connect/'
const consentFolder = '/oauth/consent/'
/** Where a claim link without its code leads. */
export const claimWithoutCode = '/claim'

const charactersAtMost = 2000
// A placeholder origin that never exists, for resolving paths.
const here = 'http://here.invalid'

/** The code in the path of a claim link; undefined for another path. */
export function claimCodeIn(path: string): string | undefined {
  return path.startsWith(claimFolder) ? path.slice(claimFolder.length) : undefined
}

/** The approval that a path is the page of; undefined for another path. */
export function approvalIn(path: string): string | undefined {
  return path.startsWith(approvalFolder) ? path.slice(approvalFolder.length) : undefined
}

/** The connection that a path is the page of; undefined for another path. */
export function connectionIn(path: string): string | undefined {
  return path.startsWith(connectFolder) ? path.slice(connectFolder.length) : undefined
}

/** The request of a program that a path is the page of; undefined for another path. */
export function consentIn(path: string): string | undefined {
  return path.startsWith(consentFolder) ? path.slice(consentFolder.length) : undefined
}

/** The paths of the same pages for a browser: the service may be below a path of its own. */
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

  /** The page of an approval. */
  approval(id: string): string {
    return this.#from(approvalFolder + encodeURIComponent(id))
  }

  /** The page of a connection with a server of others. */
  connect(id: string): string {
    return this.#from(connectFolder + encodeURIComponent(id))
  }

  /** The page on which a person decides about a program. */
  consent(id: string): string {
    return this.#from(consentFolder + encodeURIComponent(id))
  }

  /** The sign-in page, which then leads on to this path. */
  signInFor(next: string): string {
    return `${this.signIn}?${new URLSearchParams({ next }).toString()}`
  }

  /** Where a person leaves for a provider. @param asked for which, and to which path they come back */
  signInWith(
    asked: { issuer?: string; next?: string | undefined; invitation?: string | undefined } = {},
  ): string {
    const named = Object.entries(asked).filter(([, value]) => value !== undefined)
    const query = new URLSearchParams(named)
    const path = this.#from(pathsHere.signInWith)
    return query.size === 0 ? path : `${path}?${query.toString()}`
  }

  /** The settings of an account, or of the person's own. */
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
 * A path of this service to continue to, with its query; undefined for anything that a browser could
 * treat as the address of another site.
 */
export function localPath(text: string | null): string | undefined {
  if (text === null || !text.startsWith('/') || text.length > charactersAtMost) return undefined
  const url = URL.parse(text, here)
  if (url?.origin !== here) return undefined
  const path = url.pathname + url.search
  // `/.//elsewhere` has this origin, but its normalised path leads to another.
  return URL.parse(path, here)?.origin === here ? path : undefined
}
