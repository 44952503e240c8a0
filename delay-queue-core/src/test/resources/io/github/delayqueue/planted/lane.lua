-- Notes the lane that a task wishes for.

wishes['@'] = function(argument, task, due, score)
  if argument == '' then return nil, 'a lane has no name' end
  lane_of[task.id] = argument
  return due, score
end
