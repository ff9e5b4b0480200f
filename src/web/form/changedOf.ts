/**
 * Returns the fields that differ, with their values: only the user's input. All other fields are read from
 * the stored values when the form is reopened.
 */
export function changedOf<Values extends Record<string, any>>(
  values: Values,
  initial: Values,
): Partial<Values> {
  return Object.fromEntries(
    Object.entries(values).filter(
      ([field, value]) => JSON.stringify(value) !== JSON.stringify(initial[field]),
    ),
  ) as Partial<Values>
}
