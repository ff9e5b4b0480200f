import { offeredZones } from '#shared/zones.ts'
import { organizations, type OrganizationDetail } from '#features/crm/organizations/contract.ts'
import { organizationFields } from '#features/crm/organizations/fields.ts'
import {
  useOrganizationChange,
  type OpenDialog,
} from '#features/crm/organizations/web/OrganizationDialogs.tsx'
import { useMay, useSend } from '#web/api/useSend.ts'
import { useStaff } from '#web/filter/useOptions.ts'
import { Moment } from '#web/Moment.tsx'
import { HostText } from '#web/parts/HostText.tsx'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { Facts } from '#web/record/Facts.tsx'
import type { EditInPlace } from '#web/record/InPlace.tsx'
import { useMyProducts } from '#web/session.ts'

type Organization = OrganizationDetail['organization']

/** An organization's facts; most can be edited in place, its products in a dialog. */
export function OrganizationFacts({
  organization,
  onOpen,
}: {
  organization: Organization
  onOpen: (dialog: OpenDialog) => void
}) {
  const staff = useStaff()
  const products = useMyProducts()
  const { mayEdit, edit } = useEdit(organization)
  const textFact = (field: 'name' | 'state' | 'country' | 'domain') => ({
    name: organizationFields[field].label,
    value: organization[field],
    edit: edit(field, organization[field]),
  })
  return (
    <Facts
      title="Details"
      facts={[
        textFact('name'),
        {
          name: organizationFields.timezone.label,
          value: organization.timezone,
          edit: edit(
            'timezone',
            organization.timezone,
            'choice',
            [...new Set([organization.timezone, ...offeredZones])].map((zone) => [zone, zone] as const),
          ),
        },
        textFact('state'),
        textFact('country'),
        {
          name: organizationFields.assign_to.label,
          value: organization.assigned_name,
          edit: edit('assign_to', String(organization.assign_to ?? ''), 'choice', [
            ['', 'Unassigned'],
            ...staff.map(({ id: one, name }) => [String(one), name] as const),
          ]),
        },
        {
          name: organizationFields.product_ids.label,
          value: (
            <>
              {organization.product_ids
                .map((one) => products.find((product) => product.id === one)?.name ?? `#${one}`)
                .join(', ')}{' '}
              {mayEdit && (
                <LinkButton aria-label="Edit products" onClick={() => onOpen('products')}>
                  Edit
                </LinkButton>
              )}
            </>
          ),
        },
        { ...textFact('domain'), value: organization.domain && <HostText text={organization.domain} /> },
        {
          name: 'Created',
          value: (
            <>
              <Moment at={organization.created_at} />
              {organization.created_by_name && ` by ${organization.created_by_name}`}
            </>
          ),
        },
      ]}
    />
  )
}

function useEdit(organization: Organization) {
  const id = organization.organization_id
  const mayEdit = useMay(organizations.update, { params: { id }, body: {} })
  const { send: save } = useSend(organizations.update, { ...useOrganizationChange(), failure: 'throw' })
  const edit = (
    name: string,
    value: string,
    kind: EditInPlace['kind'] = 'text',
    options?: EditInPlace['options'],
  ): EditInPlace | undefined =>
    mayEdit
      ? {
          kind,
          value,
          ...(options ? { options } : {}),
          save: (typed, version = organization.version) =>
            save({
              params: { id },
              body: {
                [name]: typed,
                version,
                base: { [name]: name === 'assign_to' ? (value === '' ? null : Number(value)) : value },
              },
            }),
        }
      : undefined
  return { mayEdit, edit }
}
