import { z } from 'zod'
import {
  code,
  emailOrEmpty,
  emptyIsAbsent,
  flag,
  lineWithoutInvisible,
  plainDay,
  requiredText,
  richText,
  text,
} from '#shared/schemas.ts'
import { formFileIds, idOrZero } from '#features/crm/support/parts.contract.ts'

/** A requester who is a customer user, or someone without an account, such as a caller on the phone. */
export const customerInputs = {
  user_id: emptyIsAbsent(idOrZero),
  /** Someone without an account needs a name or an address. */
  sender_name: text(200).default(''),
  sender_phone: lineWithoutInvisible(60).default(''),
  sender_email: emailOrEmpty.default(''),
}

export const NewTicket = z.object({
  title: requiredText(300),
  message: richText(200_000).refine(({ unclean }) => unclean.trim() !== '', 'This field is required.'),
  category: emptyIsAbsent(code),
  /** 0 or omitted: the ticket has no organization yet. */
  org_id: emptyIsAbsent(idOrZero),
  /** For whom the ticket is filed; omitted for the caller's own request. */
  ...customerInputs,
  /** 1 if the message is from the caller to the requester, who gets it by email; by default, it is from the requester. */
  to_customer: emptyIsAbsent(flag),
  delivery_date: emptyIsAbsent(plainDay),
  file_ids: formFileIds,
})
export type NewTicket = z.output<typeof NewTicket>
