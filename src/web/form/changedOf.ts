/**
 * Returns the fields that differ, with their values: only the user's input. All other fields are read from
 * the stored values when the form is reopened, and are not sent.
 */
export function changedOf<Values extends object>(values: Values, initial: Values): Partial<Values> {
  const before = initial as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(values).filter(
      ([field, value]) => JSON.stringify(value) !== JSON.stringify(before[field]),
    ),
  ) as Partial<Values>
}
