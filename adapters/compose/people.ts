import type { Core } from '#src/core/door.ts'
import type { Ports } from '#src/core/context.ts'
import { Paths } from '#protocol/web/paths.ts'
import { peopleScreens } from '#protocol/web/screens.ts'
import type { Intake } from '#adapters/http/intake/intake.ts'
import { admitted } from './admitted.ts'
import { screenPage } from '#adapters/http/html/screen-page.ts'
import type { Page } from '#adapters/http/page.ts'

/** The pages for persons: to claim an account, to sign in and out, and their settings. */
export function peoplePages(
  ports: Ports,
  core: Core,
  intake: Intake,
): (path: string) => Page | undefined {
  const { store, clock, settings } = ports
  const publicUrl = (): string => settings.publicUrl
  const screenAt = peopleScreens({
    core,
    paths: new Paths(publicUrl),
    store,
    clock,
    signUp: settings.signUp,
    consents: ports,
  })
  const count = (address: string) => admitted(ports, { subject: undefined, address })
  return (path) => {
    const screen = screenAt(path)
    return screen && screenPage(screen, { count, publicUrl, intake })
  }
}
