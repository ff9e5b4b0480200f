import { useEffect, type RefObject } from 'react'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { offeredZones } from '#shared/zones.ts'
import type { leadFields } from '#features/crm/leads/fields.ts'
import { leadZone } from '#features/crm/leads/zone.contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { Field } from '#web/form/Field.tsx'
import type { FieldsForm } from '#web/form/useFieldsForm.ts'
import { browserTimeZone } from '#web/time.ts'

interface Props {
  form: FieldsForm<typeof leadFields>
  /** In the form of a new lead: the zone that the panel proposed last. */
  proposedRef?: RefObject<string> | undefined
}

const delayMs = 500

/** The time zone of a lead. In a new lead, it follows the phone number and the country until the user chooses another. */
export function ZoneField({ form, proposedRef }: Props) {
  return proposedRef ? <ProposedZone form={form} proposedRef={proposedRef} /> : <ZoneSelect form={form} />
}

function ProposedZone({ form, proposedRef }: { form: Props['form']; proposedRef: RefObject<string> }) {
  const { phone, country, timezone } = form.fields.values
  const found = useFoundZone(phone.trim(), country.trim())
  const next = found?.timezone ?? browserTimeZone()
  const { setFieldValue } = form.fields
  useEffect(() => {
    if (timezone !== proposedRef.current || timezone === next) return
    proposedRef.current = next
    setFieldValue('timezone', next)
  }, [next, proposedRef, setFieldValue, timezone])
  return <ZoneSelect form={form} description={timezone === next ? hintOf(found) : undefined} />
}

type Found = { timezone: string; from: 'phone' | 'country' | 'caller'; place: string } | undefined

/** Returns what the server proposes; undefined while the phone number and the country are empty. */
function useFoundZone(phone: string, country: string): Found {
  const [asked] = useDebouncedValue(JSON.stringify({ phone, country }), delayMs)
  const query = JSON.parse(asked) as { phone: string; country: string }
  const isAsked = query.phone !== '' || query.country !== ''
  const { data } = useQuery({
    ...queryOptionsFor(leadZone.find, { query }),
    enabled: isAsked,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  })
  return isAsked ? data?.data : undefined
}

function hintOf(found: Found): string {
  if (found?.from === 'phone') return `From the phone number (${found.place}).`
  if (found?.from === 'country') return `From the country (${found.place}).`
  return 'Your time zone, until the phone number or the country says more.'
}

const options = offeredZones.map((zone) => ({ value: zone as string, label: zone as string }))

function ZoneSelect({ form, description }: { form: Props['form']; description?: string | undefined }) {
  const { timezone } = form.fields.values
  const isOffered = timezone === '' || options.some(({ value }) => value === timezone)
  return (
    <Field
      form={form}
      name="timezone"
      options={isOffered ? options : [...options, { value: timezone, label: timezone }]}
      {...(description === undefined ? {} : { description })}
    />
  )
}
