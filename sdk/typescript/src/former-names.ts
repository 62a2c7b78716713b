/** The names of the error classes before they ended in "Error". Each is the same class under another name. */

export {
  BadRequestError as BadRequest,
  BodyTooLargeError as BodyTooLarge,
  ConnectionFailedError as ConnectionFailed,
  DeniedError as Denied,
  ForbiddenError as Forbidden,
  GuardUnavailableError as GuardUnavailable,
  NotFoundError as NotFound,
  RequestTimedOutError as RequestTimedOut,
  RunDeniedError as RunDenied,
  ServiceUnavailableError as ServiceUnavailable,
  StepDeniedError as StepDenied,
  TooManyRequestsError as TooManyRequests,
  UnauthenticatedError as Unauthenticated,
  UnguardedCallError as UnguardedCall,
  UnprocessableError as Unprocessable,
} from './errors.js';
