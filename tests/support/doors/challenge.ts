import { expect } from 'vitest'

/** The challenge of a credential that is wrong, for clients that show no body; over HTTP it says where to get a token. */
export const wrongToken: unknown = expect.stringMatching(
  /^Bearer error="invalid_token", error_description="[ !#-[\]-~]+"(?:, resource_metadata="[^"]+", scope="[a-z ]+")?$/,
)
