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

export const NewTicket = z.object({
  title: requiredText(300),
  message: richText(200_000).refine(({ unclean }) => unclean.trim() !== '', 'This field is required.'),
  category: emptyIsAbsent(code),
  /** 0 or omitted: the ticket has no organization yet. */
  org_id: emptyIsAbsent(idOrZero),
  /** The customer user for whom the ticket is filed; omitted for the caller's own request. */
  user_id: emptyIsAbsent(idOrZero),
  /** 1 if the message is from the caller to the requester, who gets it by email; by default, it is from the requester. */
  to_customer: emptyIsAbsent(flag),
  /** Someone without an account, such as a caller on the phone, for whom the ticket is filed instead; needs a name or an address. */
  sender_name: text(200).default(''),
  sender_phone: lineWithoutInvisible(60).default(''),
  sender_email: emailOrEmpty.default(''),
  delivery_date: emptyIsAbsent(plainDay),
  file_ids: formFileIds,
})
export type NewTicket = z.output<typeof NewTicket>
