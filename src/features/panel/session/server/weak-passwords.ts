import type { Db } from '#server/db/db.ts'
import { isCommonPassword } from '#server/secrets/common-passwords.ts'
import { invalid } from '#server/http/errors.ts'

/**
 * Returns the letters and digits of a string in lowercase, without leading and trailing digits: `Admin-Panel
 * 2026` becomes `adminpanel`.
 */
const wordIn = (text: string) =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/^\p{N}+|\p{N}+$/gu, '')

/** Returns whether a password is a name, once or several times. */
function isNamedLike(password: string, name: string): boolean {
  const [word, named] = [wordIn(password), wordIn(name)]
  return (
    password.toLowerCase() === name.toLowerCase() ||
    (word !== '' && named !== '' && word.replaceAll(named, '') === '')
  )
}

/**
 * @param field the field on which to report a rejected password
 * @throws HttpError 422 if the password is the username, the name of the panel or of a product, or one of the
 * most common breached passwords.
 */
export async function demandStrongPassword(
  db: Db,
  password: string,
  { user_name, provider, field }: { user_name: string; provider: string; field: string },
): Promise<void> {
  if (isNamedLike(password, user_name))
    throw invalid(field, 'The password can’t be your username. Choose a different one.')
  const products = await db.selectFrom('products').select('name').execute()
  if ([provider, ...products.map(({ name }) => name)].some((name) => isNamedLike(password, name)))
    throw invalid(field, 'The password can’t be the name of the panel or a product. Choose a different one.')
  if (await isCommonPassword(password))
    throw invalid(field, 'This password is too common. Choose a different one.')
}
