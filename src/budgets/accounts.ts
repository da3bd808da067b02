import type { ImUserKey } from '../base/ids.ts';
import type { Store } from '../store/port.ts';

/** Every account of the person who has this one, the oldest first. */
export async function accountsOf(
  { imUsers, persons }: Pick<Store, 'imUsers' | 'persons'>,
  user: ImUserKey,
): Promise<readonly ImUserKey[]> {
  const known = await imUsers.get(user);
  if (known === null) return [user];
  const accounts = (await persons.imUsers(known.person)).map(({ key }) => key);
  return accounts.includes(user) ? accounts : [user, ...accounts];
}
