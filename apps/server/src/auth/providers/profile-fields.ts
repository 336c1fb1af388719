import { isEmail, isStorable } from '@longshore/contract';
import { z } from 'zod';

const NAME_MAX_LENGTH = 100;
const ADDRESS_MAX_LENGTH = 2_000;

/** A provider's id of an account; a number or text. */
export const accountIdField = z
  .union([z.number().int().positive(), z.string().min(1).max(255).refine(isStorable)])
  .transform(String);

/** What is no address counts as none. */
export const emailOrNone = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === 'string' ? value.trim().toLowerCase() : undefined))
  .transform((email) => (isEmail(email) ? email : undefined));

/** A name to show, without what cannot be shown. */
export const nameOrNone = z
  .unknown()
  .optional()
  .transform((value) => {
    if (typeof value !== 'string') return undefined;
    const name = value.toWellFormed().replaceAll(/\p{C}/gu, '').trim();
    return name === '' ? undefined : [...name].slice(0, NAME_MAX_LENGTH).join('');
  });

/** The address of a picture, or an empty text. */
export const pictureOrNone = z
  .unknown()
  .optional()
  .transform((value) => {
    if (typeof value !== 'string' || value.length > ADDRESS_MAX_LENGTH) return '';
    const url = URL.canParse(value) ? new URL(value) : undefined;
    return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : '';
  });
