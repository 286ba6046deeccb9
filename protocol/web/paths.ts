import { joinFolder } from '#src/accounts/members/invitation.ts'
import { forgotPath, linkFolders } from '#src/accounts/mail/link.ts'
import { pathBelow } from '#src/core/html/below.ts'

/** The pages for persons, by their paths in this service. */
export const pathsHere = {
  front: '/',
  signIn: '/sign-in',
  signInWith: '/sign-in/with',
  signOut: '/sign-out',
  forgot: forgotPath,
  settings: '/settings',
  security: '/settings/security',
  notifications: '/settings/notifications',
  leave: '/settings/leave',
  export: '/settings/export',
  home: '/home',
  welcome: '/welcome',
  account: '/account',
  needs: '/needs-you',
  runs: '/runs',
  schedule: '/schedule',
  agents: '/agents',
  spend: '/spend',
} as const
const claimFolder = '/claim/'
const approvalFolder = '/approvals/'
const connectFolder = '/connect/'
const teamFolder = '/teams/'
const consentFolder = '/oauth/consent/'

const charactersAtMost = 2000
// A placeholder origin that never exists, for resolving paths.
const here = 'http://here.invalid'

/** The code in the path of a claim link; undefined for another path. */
export function claimCodeIn(path: string): string | undefined {
  return path.startsWith(claimFolder) ? path.slice(claimFolder.length) : undefined
}

/** The code in the path of an invitation into an account; undefined for another path. */
export function joinCodeIn(path: string): string | undefined {
  return path.startsWith(joinFolder) ? path.slice(joinFolder.length) : undefined
}

/** The code in the path of a link for a new password; undefined for another path. */
export function resetCodeIn(path: string): string | undefined {
  return path.startsWith(linkFolders.reset) ? path.slice(linkFolders.reset.length) : undefined
}

/** The code in the path of a link that verifies an address; undefined for another path. */
export function verifyCodeIn(path: string): string | undefined {
  return path.startsWith(linkFolders.verify) ? path.slice(linkFolders.verify.length) : undefined
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

/** The agent and the part of it that a path is the page of; undefined for another path. */
export function agentIn(path: string): [id: string, ...part: string[]] | undefined {
  return namedIn(path, `${pathsHere.agents}/`)
}

/** The same of an app. */
export function teamIn(path: string): [id: string, ...part: string[]] | undefined {
  return namedIn(path, teamFolder)
}

/** The run that a path is the page of; undefined for another path. */
export function runIn(path: string): string | undefined {
  const [id, ...more] = namedIn(path, `${pathsHere.runs}/`) ?? []
  return more.length > 0 ? undefined : id
}

/** Of the longest id. */
const stepAtMost = 128

function namedIn(path: string, folder: string): [string, ...string[]] | undefined {
  if (!path.startsWith(folder)) return undefined
  const [id = '', ...part] = path.slice(folder.length).split('/')
  return [id, ...part].some((step) => step.length > stepAtMost) ? undefined : [id, ...part]
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

  /** Where a link for a new password is asked for. */
  get forgot(): string {
    return this.#from(pathsHere.forgot)
  }

  /** The page of a claim. */
  claim(code: string): string {
    return this.#from(claimFolder + encodeURIComponent(code))
  }

  /** The page of an invitation into an account. */
  join(code: string): string {
    return this.#from(joinFolder + encodeURIComponent(code))
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

  /** The address of a path of this service, with its host. */
  address(path: string): string {
    return this.#publicUrl() + path
  }

  /** The guides for readers. */
  get guides(): string {
    return this.#from('/guides')
  }

  /** What agents read first. */
  get skill(): string {
    return this.#from('/skill.md')
  }

  /** A page that everyone may read. */
  open(path: string, query: Record<string, string> = {}): string {
    return withQuery(this.#from(path), query)
  }

  /** The stream of what happens in the account. */
  get events(): string {
    return this.#from('/api/account/events')
  }

  /** The page on which a visitor begins. */
  get front(): string {
    return this.#from('/')
  }

  /** What happens today. */
  get home(): string {
    return this.#from(pathsHere.home)
  }

  /** The ways to begin. */
  get welcome(): string {
    return this.#from(pathsHere.welcome)
  }

  /** Where the account to look at is chosen. */
  get account(): string {
    return this.#from(pathsHere.account)
  }

  /** What waits for the person. */
  get needs(): string {
    return this.#from(pathsHere.needs)
  }

  /** The agents of the account. */
  get agents(): string {
    return this.#from(pathsHere.agents)
  }

  /** Those of them that the query asks for. */
  agentList(query: Record<string, string>): string {
    return withQuery(this.agents, query)
  }

  /** An agent, or a part of it, such as `['tasks', 'digest']`. */
  agent(id: string, part: readonly string[] = [], query: Record<string, string> = {}): string {
    return withQuery(this.#from(`${pathsHere.agents}/${stepsOf([id, ...part])}`), query)
  }

  /** An app and its agents, or a part of it. */
  team(id: string, part: readonly string[] = [], query: Record<string, string> = {}): string {
    return withQuery(this.#from(teamFolder + stepsOf([id, ...part])), query)
  }

  /** The runs of the account, or those that the query asks for. */
  runs(query: Record<string, string> = {}): string {
    return withQuery(this.#from(pathsHere.runs), query)
  }

  /** A run. */
  run(id: string, query: Record<string, string> = {}): string {
    return withQuery(this.#from(`${pathsHere.runs}/${encodeURIComponent(id)}`), query)
  }

  /** The week of the account, or of what the query names. */
  schedule(query: Record<string, string> = {}): string {
    return withQuery(this.#from(pathsHere.schedule), query)
  }

  /** A page of the Commons. @param path below the folder of them all */
  forum(path: string, query: Record<string, string> = {}): string {
    return this.open(`/commons${path}`, query)
  }

  /** What models cost. */
  spend(query: Record<string, string> = {}): string {
    return withQuery(this.#from(pathsHere.spend), query)
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
    const query = { ...(account !== undefined && { account }), ...more }
    return withQuery(this.#from(pathsHere.settings), query)
  }

  /** How the person signs in, or what they are told. @param done what they have just done there */
  own(page: 'security' | 'notifications', done?: string): string {
    return withQuery(this.#from(pathsHere[page]), done === undefined ? {} : { done })
  }

  /** Where an account is deleted. */
  leave(account?: string): string {
    return withQuery(this.#from(pathsHere.leave), account === undefined ? {} : { account })
  }

  /** Everything that an account has, as a file. */
  export(account: string): string {
    return withQuery(this.#from(pathsHere.export), { account })
  }

  #from(path: string): string {
    return pathBelow(this.#publicUrl(), path)
  }
}

function stepsOf(names: readonly string[]): string {
  return names.map(encodeURIComponent).join('/')
}

function withQuery(path: string, query: Record<string, string>): string {
  const search = new URLSearchParams(query).toString()
  return search === '' ? path : `${path}?${search}`
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
