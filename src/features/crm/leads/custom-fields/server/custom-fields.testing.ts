import type { TestApp } from '#app/testing/start.testing.ts'
import type { StoredCustomField } from '#features/crm/leads/custom-fields/contract.ts'

export const fieldsPath = '/admin/settings/custom-fields/1'

/** Returns the custom fields of a product. */
export const fieldsOf = async ({ as }: Pick<TestApp, 'as'>, product = 1): Promise<StoredCustomField[]> =>
  (await as('super_admin').get(`/admin/settings/custom-fields/${product}`))['data']

/** Adds a custom field to a product; returns it. */
export async function addField(
  started: Pick<TestApp, 'as'>,
  values: { name: string; type: StoredCustomField['type']; choices?: readonly string[] },
  product = 1,
): Promise<StoredCustomField> {
  const body = { ...values, choices: values.choices?.map((name) => ({ name })) ?? [] }
  const added = await started.as('super_admin').post(`/admin/settings/custom-fields/${product}`, body)
  if (added.status !== 200) throw new Error(added.text)
  return (added['data'] as StoredCustomField[]).find(({ name }) => name === values.name)!
}
