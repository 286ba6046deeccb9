import type { Core } from '#src/core/door.ts'
import type { Ports } from '#src/core/context.ts'
import { Paths } from '#protocol/web/paths.ts'
import { peopleScreens } from '#protocol/web/screens.ts'
import type { Intake } from '#adapters/http/intake/intake.ts'
import { admitted } from './admitted.ts'
import type { Terms } from '#protocol/web/ask.ts'
import { KeptReplies } from '#adapters/http/html/kept-replies.ts'
import { screenPage, type ScreenTerms } from '#adapters/http/html/screen-page.ts'
import type { Page } from '#adapters/http/page.ts'

/** The pages for persons: to claim an account, to sign in and out, and their settings. */
export function peoplePages(
  ports: Ports,
  core: Core,
  intake: Intake,
): (path: string) => Page | undefined {
  const screenAt = peopleScreens(termsOf(ports, core))
  const terms = screenTermsOf(ports, intake)
  return (path) => {
    const screen = screenAt(path)
    return screen && screenPage(screen, terms)
  }
}

/** What pages for persons depend on. */
export function termsOf(ports: Ports, core: Core): Terms {
  const { store, clock, settings, mailer } = ports
  const paths = new Paths(() => settings.publicUrl)
  const { signUp } = settings
  const hasMail = mailer !== null
  return { core, paths, store, clock, signUp, hasMail, entrance: ports, consents: ports }
}

/** How they are served. */
export function screenTermsOf(ports: Ports, intake: Intake): ScreenTerms {
  return {
    count: (address) => admitted(ports, { subject: undefined, address }),
    publicUrl: () => ports.settings.publicUrl,
    kept: new KeptReplies(),
    intake,
  }
}
