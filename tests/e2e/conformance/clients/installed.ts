import { readFileSync } from 'node:fs'

/** The version of a package that the tests depend on, as it is installed. */
export function installedVersion(name: string): string {
  const place = new URL(`../../../../node_modules/${name}/package.json`, import.meta.url)
  // A package has a version.
  return (JSON.parse(readFileSync(place, 'utf8')) as { version: string }).version
}
